export interface BenchOptions {
  names: string[];
  rounds: number;
  seconds: number;
  percent: number;
  json: string;
  /** Folder in which generated scans are cached, or null. */
  data: string | null;
  /** Folder of other PostgreSQL programs than the embedded ones, or null. */
  postgres: string | null;
}

const NUMBERS = ['rounds', 'seconds', 'percent'] as const;
const PATHS = ['json', 'data', 'postgres'] as const;

/** Parse names and options in any order; null for invalid ones. */
export function parseBenchOptions(args: readonly string[], known: readonly string[]): BenchOptions | null {
  const options: BenchOptions = {
    names: [],
    rounds: 6,
    seconds: 4,
    percent: 100,
    json: 'tmp/bench.json',
    data: null,
    postgres: null,
  };
  const selected = new Set<string>();
  const words = [...args];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (known.includes(word)) {
      selected.add(word);
      continue;
    }
    const value = words.shift() ?? '';
    const numberOption = NUMBERS.find((name) => `--${name}` === word);
    const pathOption = PATHS.find((name) => `--${name}` === word);
    if (numberOption && /^[1-9]\d{0,2}$/.test(value)) options[numberOption] = Number(value);
    else if (pathOption && value !== '' && !value.startsWith('-')) options[pathOption] = value;
    else return null;
  }
  if (selected.size === 0 || options.percent > 100) return null;
  return { ...options, names: known.filter((name) => selected.has(name)) };
}
