import { readCommandArguments } from '../shared/command-usage.ts';

const [option] = readCommandArguments(
  `Usage:
  npm run doctor              checks the settings, the database, files, providers and the public address, and says what
                              to do about each problem; changes nothing
  npm run doctor -- --json    prints the same as JSON
Exit codes: 0 no problem, 1 a problem, 64 invalid arguments.`,
  (words) => words.length === 0 || (words.length === 1 && words[0] === '--json'),
);

// Loaded for valid arguments only: it is the whole application.
const [{ diagnose }, { formatJsonReport, formatReport, getWorstState }] = await Promise.all([
  import('./doctor/run-doctor.ts'),
  import('./doctor/format-report.ts'),
]);

const results = await diagnose(process.env);
console.log(option ? formatJsonReport(results) : formatReport(results));
// A server that does not answer keeps its connection open.
process.exit(getWorstState(results) === 'problem' ? 1 : 0);
