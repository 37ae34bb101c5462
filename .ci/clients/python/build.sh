# Generates both packages with the commands of spec/CLIENTS.md, then checks the types of the story and the example.
toolchain=$(cd "$(dirname "$0")" && pwd)
cp "$SPEC/box.openapi.yaml" "$SPEC/gateway.openapi.yaml" .
cp "$toolchain/story.py" "$EXAMPLES/example.py" "$EXAMPLES/openapi-python-client.yaml" .
cat "$EXAMPLES/install.sh" "$EXAMPLES/generate.sh" | bash -euo pipefail
.venv/bin/pip install --quiet --disable-pip-version-check mypy==2.4.1
# Generated code is not checked: its client.py has faults under --strict.
.venv/bin/mypy --strict --follow-imports=silent story.py example.py
