node story.js
