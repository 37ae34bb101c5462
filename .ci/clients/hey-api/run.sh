node story.js
node example.js
