// Run a script, transpiled like the tests: `tsx scripts/run-transpiled.ts <file> …`. Loading the whole service takes a
// third of the time that a loader takes.
import { spawnSync } from 'node:child_process';
import { getTranspiledPath, transpileChangedSources } from './testing/transpile.ts';

const [, , file = '', ...words] = process.argv;
transpileChangedSources();
const { status } = spawnSync(process.execPath, [getTranspiledPath(file), ...words], { stdio: 'inherit' });
process.exitCode = status ?? 1;
