# Generates and compiles the clients, the servers, the story and the examples. Every module has a checksum in go.sum.
here=$(cd "$(dirname "$0")" && pwd)
cp -r "$here"/{go.mod,go.sum,ogen.yml,story} .
go build -o bin/ogen github.com/ogen-go/ogen/cmd/ogen
for api in box gateway; do
  bin/ogen --package "$api" --target "$api" --clean "$SPEC/$api.openapi.yaml"
  bin/ogen --config "$here/ogen-server.yml" --package "$api" --target "server/$api" --clean "$SPEC/$api.openapi.yaml"
done
for example in "$EXAMPLES"/*.go; do
  folder=examples/$(basename "$example" .go)
  mkdir -p "$folder"
  cp "$example" "$folder/main.go"
done
unformatted=$(gofmt -l story examples)
[ -z "$unformatted" ] || { echo "not formatted as gofmt does: $unformatted" >&2; exit 1; }
go vet ./...
go build ./...
go build -o bin/ ./story ./examples/...
