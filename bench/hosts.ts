// Run the service on ten hosts, which are network namespaces: two instances, two workers, PostgreSQL and its replica,
// Redis, S3, a proxy and clients. Cut each link, kill each process, skew a clock, fill a disk, promote the replica. Then
// look for every acknowledged scan, message, upload and email: `npm run bench:hosts -- [seconds of a cut] [part of the
// names of faults]`. For root on Linux with haproxy, iproute2, postgresql-15, redis-server and, for the clock, faketime.
// Exits with 1 if anything is lost, counted wrong or does not become normal again.
import { spawnSync } from 'node:child_process';
import { findNamespacesProblem, runInNamespaces } from './hosts/run-in-namespaces.ts';
import { isWholeNumber, readArguments } from './read-arguments.ts';

const [seconds = '12', selection = 'all'] = readArguments(
  import.meta.url,
  ([first = '12', ...others]) => isWholeNumber(first) && others.length <= 1,
);

const problem = findNamespacesProblem();
if (problem) throw new Error(`Hosts cannot be run: ${problem}.`);
const build = spawnSync('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
if (build.status !== 0) throw new Error('The service cannot be built.');
process.exitCode = await runInNamespaces([selection, seconds], (text) => process.stdout.write(text));
