# Compiles the story and the example with the types of the package, then with types generated from the JSON.
toolchain=$(cd "$(dirname "$0")" && pwd)
echo '{"private": true, "type": "module"}' > package.json
bash -euo pipefail "$EXAMPLES/install.sh"
npm install --no-audit --no-fund --save-exact --save-dev @types/node@24.19.2
cp "$toolchain"/*.ts "$toolchain"/tsconfig*.json "$EXAMPLES/example.ts" .
npx tsc
# The commands of spec/CLIENTS.md read the package in the project's own node_modules.
ln -s "$(cd "$SPEC/.." && pwd)" node_modules/boxgate
bash -euo pipefail "$EXAMPLES/generate.sh"
npx tsc -p tsconfig.generated.json
