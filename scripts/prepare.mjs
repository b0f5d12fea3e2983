// Last step of `npm ci` and `npm install`: build if there is a compiler. A production install (`--omit=dev`) has none;
// dist/ comes with the archive of `npm run package`. Plain JavaScript, because such an install cannot run TypeScript.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (existsSync('node_modules/typescript')) {
  const { status } = spawnSync('npm', ['run', 'build'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
} else {
  console.log(
    'No compiler is installed (--omit=dev), so nothing is built: install the archive of `npm run package`.',
  );
}
