# Generates the clients of both APIs and compiles them with the story and the example, with all warnings as errors. Runs
# in the folder OUT; SPEC has the documents, and EXAMPLES the build script and the example of spec/CLIENTS.md.
here=$(cd "$(dirname "$0")" && pwd)

cp -r "$here/." "$EXAMPLES/build.rs" .
cp "$EXAMPLES/example.rs" src/bin/
RUSTFLAGS='-D warnings' cargo build --locked --quiet
