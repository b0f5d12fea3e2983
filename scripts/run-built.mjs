// `npm start` and the other commands of operators: `node scripts/run-built.mjs <program of dist> …`, with the variables
// of .env. Plain JavaScript, because a production install cannot run TypeScript.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const [, , program, ...words] = process.argv;
if (existsSync('dist')) {
  const file = resolve('dist', program);
  process.argv = [process.execPath, file, ...words];
  for (const module of ['dist/start/env-file.js', 'dist/start/check-build.js', file])
    await import(resolve(module));
} else {
  console.error('There is no dist/: run npm run build.');
  process.exitCode = 78;
}
