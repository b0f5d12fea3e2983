/** A failed assertion, an error or a time limit. */
export interface TestFailure {
  /** The titles of its tests, from the outermost. */
  titles: string[];
  /** What a terminal shows, without indentation. */
  lines: string[];
}

interface OpenTest {
  title: string;
  /** Failures found before it began. */
  failuresBefore: number;
}

const INDENT = 4;
const FAILED_POINT_PATTERN = /^(?<indent> *)not ok \d+(?: - (?<name>.*?))?(?<time> # time=.*)?$/;
const SUBTEST_PATTERN = /^(?<indent> *)# Subtest: (?<title>.*)$/;
const EXPECTED_FAILURE_PATTERN = / # (?:SKIP|TODO)\b/i;

/** A position in TypeScript, which follows the one in JavaScript. */
const POSITION_PATTERN = /(?<![\w/.-])(?:test|src|packages|scripts|bench)\/[\w./-]+\.ts:\d+:\d+/g;
const RUNNER_FILE = 'scripts/testing/worker.ts';

/** Diagnostics that are left out or shown in another form. */
const FORMATTED_SECTIONS = ['at', 'stack', 'source', 'compare', 'cause', 'diff'];

const MAX_FAILURE_LINES = 80;

/**
 * Find the failures in the output of a test file (TAP 14). A test that contains a failure is not listed again for it.
 */
export function findFailures(output: readonly string[]): TestFailure[] {
  const failures: TestFailure[] = [];
  let open: OpenTest[] = [];
  for (const [index, line] of output.entries()) {
    const subtest = SUBTEST_PATTERN.exec(line)?.groups;
    if (subtest) {
      const depth = toDepth(subtest.indent);
      open = [...open.slice(0, depth), { title: subtest.title ?? '', failuresBefore: failures.length }];
      continue;
    }
    const point = EXPECTED_FAILURE_PATTERN.test(line) ? undefined : FAILED_POINT_PATTERN.exec(line)?.groups;
    if (!point) continue;
    const depth = toDepth(point.indent);
    const ended = point.time === undefined ? undefined : open[depth];
    if (ended && failures.length > ended.failuresBefore) continue;
    // The first title is the file.
    const titles = open.slice(1, ended ? depth + 1 : depth).map(({ title }) => title);
    const diagnostics = readDiagnostics(output, index + 1, point.indent?.length ?? 0);
    failures.push({ titles, lines: formatFailure(titles, point.name ?? '', diagnostics) });
  }
  return failures;
}

function toDepth(indent = ''): number {
  return indent.length / INDENT;
}

/** Read the lines between `---` and `...`, without their indentation. */
function readDiagnostics(output: readonly string[], start: number, indent: number): string[] {
  const prefix = ' '.repeat(indent + 2);
  if (output[start] !== `${prefix}---`) return [];
  const end = output.indexOf(`${prefix}...`, start);
  return output.slice(start + 1, end < 0 ? output.length : end).map((line) => line.slice(prefix.length));
}

function formatFailure(titles: readonly string[], name: string, diagnostics: readonly string[]): string[] {
  const sections = splitSections(diagnostics);
  const position = readPosition(sections.get('at') ?? []);
  const callers = readCallers(sections.get('stack') ?? []).filter((caller) => caller !== position);
  const isOwnSource = position !== undefined && !position.startsWith('node_modules/');
  const sourceLine = isOwnSource ? readSourceLine(sections.get('source') ?? []) : undefined;
  const cause = sections.get('cause')?.filter((line) => /^ {2}(?:message|code):/.test(line)) ?? [];
  const others = [...sections].filter(([key]) => !FORMATTED_SECTIONS.includes(key));
  const path = titles.at(-1) === name ? titles : [...titles, name];
  const lines = [
    `not ok - ${path.join(' > ')}`,
    ...(position ? [`  at: ${position}`] : []),
    ...callers.map((caller) => `  called from: ${caller}`),
    ...(sourceLine ? [`  > ${sourceLine}`] : []),
    ...others.flatMap(([, section]) => section.map((line) => `  ${line}`)),
    ...(cause.length > 0 ? ['  cause:', ...cause.map((line) => `  ${line}`)] : []),
    ...readDifference(sections.get('diff') ?? []),
  ];
  return lines.length > MAX_FAILURE_LINES ? [...lines.slice(0, MAX_FAILURE_LINES), '  …'] : lines;
}

/** Split YAML at its outermost keys. */
function splitSections(diagnostics: readonly string[]): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of diagnostics) {
    const key = /^(\w+):/.exec(line)?.[1];
    if (key !== undefined) {
      current = [];
      sections.set(key, current);
    }
    if (line.trim() !== '') current.push(line);
  }
  return sections;
}

function readPosition(section: readonly string[]): string | undefined {
  const read = (key: string) => section.find((line) => line.startsWith(`  ${key}: `))?.slice(key.length + 4);
  const [file, line, column] = ['fileName', 'lineNumber', 'columnNumber'].map(read);
  return file && file !== RUNNER_FILE ? [file, line, column].filter(Boolean).join(':') : undefined;
}

/** The calls from a test to where it failed; further out there are only the tests that contain it. */
function readCallers(stack: readonly string[]): string[] {
  const text = stack.join('\n');
  const end = /\bTest\.<anonymous>[^)]*\)(?:\s*\([^)]*\))?/.exec(text);
  const inner = end ? text.slice(0, end.index + end[0].length) : text;
  return (inner.match(POSITION_PATTERN) ?? []).filter((position) => !position.startsWith(RUNNER_FILE));
}

/** The line above its marker. */
function readSourceLine(section: readonly string[]): string | undefined {
  const marker = section.findIndex((line) => /^\s*-*\^$/.test(line));
  return marker > 1 ? section[marker - 1]?.trim() : undefined;
}

function readDifference(section: readonly string[]): string[] {
  return section.filter((line) => !/^ +@@ /.test(line)).map((line) => `  ${line}`);
}
