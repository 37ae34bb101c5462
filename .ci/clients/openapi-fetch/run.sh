# Node removes the types itself, so that nothing has to be emitted.
node story.ts
node example.ts
