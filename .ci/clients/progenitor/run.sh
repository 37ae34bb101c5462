# Runs the story and the example that build.sh compiled in the folder OUT, against BOX_URL and GATEWAY_URL.
for program in story example; do
  "target/debug/$program"
done
