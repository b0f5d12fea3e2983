import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const REPORT_FOLDER = 'coverage';

/**
 * Measure line coverage with V8 and print the totals; the report by line is `coverage/index.html`.
 * @param runTests runs tests with these environment variables
 * @returns the exit code of the tests
 */
export async function measureCoverage(
  runTests: (variables: Record<string, string>) => Promise<number>,
): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'qr-coverage-'));
  try {
    const code = await runTests({ NODE_V8_COVERAGE: directory });
    const options = [
      '--temp-directory',
      directory,
      '--reports-dir',
      REPORT_FOLDER,
      '--merge-async',
      '--exclude-after-remap',
    ];
    const files = ['--include', 'src/**', '--exclude', 'src/generated/**'];
    const reporters = ['text-summary', 'html', 'lcov'].flatMap((name) => ['--reporter', name]);
    spawnSync('node_modules/.bin/c8', ['report', ...options, ...files, ...reporters], { stdio: 'inherit' });
    console.log(`by line: ${REPORT_FOLDER}/index.html`);
    return code;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
