bin/story
for folder in examples/*; do
  "bin/$(basename "$folder")"
done
