# Generates the clients of both APIs and compiles them, then compiles the story and the example with all warnings as
# errors. Runs in the folder OUT; SPEC has the documents and EXAMPLES the example.
here=$(cd "$(dirname "$0")" && pwd)

cp "$here/pom.xml" .
mvn -B -q -ntp -Dspec="$SPEC" compile dependency:copy-dependencies -DincludeScope=runtime
javac -d story -proc:none -Xlint:all -Werror -cp 'target/classes:target/dependency/*' "$here"/*.java "$EXAMPLES"/*.java
