# Compiles the generated client, then the story and the example against its declarations.
toolchain=$(cd "$(dirname "$0")" && pwd)
echo '{"private": true, "type": "module"}' > package.json
bash -euo pipefail "$EXAMPLES/install.sh"
npm install --no-audit --no-fund --save-exact --save-dev @types/node@24.19.2
# The configuration in spec/CLIENTS.md reads the package in the project's own node_modules.
ln -s "$(cd "$SPEC/.." && pwd)" node_modules/boxgate
cp "$EXAMPLES/openapi-ts.config.ts" .
npx openapi-ts
# The generated sources do not compile with exactOptionalPropertyTypes. Their declarations work with it.
mv client generated
cp "$toolchain"/*.ts "$toolchain"/tsconfig*.json "$EXAMPLES/example.ts" .
npx tsc -p tsconfig.client.json
npx tsc
