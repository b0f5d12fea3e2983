// What `npm start` and other commands that run dist/ say without it.
console.error('There is no dist/: run npm run build.');
process.exitCode = 78;
