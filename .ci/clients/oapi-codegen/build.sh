# Generates and compiles the clients, the story and the examples. Every module has a checksum in go.sum.
here=$(cd "$(dirname "$0")" && pwd)
cp -r "$here"/{go.mod,go.sum,story} .
go build -o bin/oapi-codegen github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen
for api in box gateway; do
  mkdir "$api"
  bin/oapi-codegen -generate types,client -package "$api" -o "$api/$api.go" "$SPEC/$api.openapi.yaml"
done
for example in "$EXAMPLES"/*.go; do
  folder=examples/$(basename "$example" .go)
  mkdir -p "$folder"
  cp "$example" "$folder/main.go"
done
unformatted=$(gofmt -l story examples)
[ -z "$unformatted" ] || { echo "not formatted as gofmt does: $unformatted" >&2; exit 1; }
go vet ./...
go build -o bin/ ./story ./examples/...
