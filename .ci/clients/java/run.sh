# Runs the story and the example that build.sh compiled in the folder OUT, against BOX_URL and GATEWAY_URL.
for class in Story Example; do
  java -cp 'story:target/classes:target/dependency/*' "$class"
done
