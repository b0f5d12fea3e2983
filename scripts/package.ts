// `npm run package`: write the archive that operators install, after a clean build.
import { stat } from 'node:fs/promises';
import { createPackage } from './package/create-package.ts';

const archive = await createPackage('.');
const { size } = await stat(archive);
console.log(`${archive} (${Math.round(size / 1e6)} MB). Install it as docs/operations/running.md says.`);
