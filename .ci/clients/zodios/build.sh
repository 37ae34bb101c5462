# Generates clients that validate every request and every response against the documents.
toolchain=$(cd "$(dirname "$0")" && pwd)
echo '{"private": true, "type": "module"}' > package.json
npm install --no-audit --no-fund --save-exact openapi-zod-client@1.18.3 @zodios/core@10.9.6 axios@1.18.1 zod@3.25.76
for api in box gateway; do
  npx openapi-zod-client "$SPEC/$api.openapi.yaml" --output "$api.ts"
done
cp "$toolchain/story.js" .
