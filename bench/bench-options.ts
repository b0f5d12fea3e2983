export interface BenchOptions {
  rows: string[];
  rounds: number;
  seconds: number;
  percent: number;
  json: string;
  /** Folder in which generated scans are cached, or null. */
  data: string | null;
}

const DEFAULT_NUMBERS = { rounds: 6, seconds: 4, percent: 100 } as const;

const JSON_FILE = 'tmp/bench.json';

export function parseBenchOptions(args: readonly string[], known: readonly string[]): BenchOptions | null {
  const choice: BenchOptions = { rows: [], ...DEFAULT_NUMBERS, json: JSON_FILE, data: null };
  const selected = new Set<string>();
  const remaining = [...args];
  for (let word = remaining.shift(); word !== undefined; word = remaining.shift()) {
    if (known.includes(word)) selected.add(word);
    else if (word === '--json' || word === '--data') {
      const path = remaining.shift();
      if (!path || path.startsWith('-')) return null;
      choice[word === '--json' ? 'json' : 'data'] = path;
    } else {
      const name = (['rounds', 'seconds', 'percent'] as const).find((option) => `--${option}` === word);
      const number = Number(/^[1-9]\d{0,2}$/.exec(remaining.shift() ?? '')?.[0]);
      if (!name || !number || (name === 'percent' && number > 100)) return null;
      choice[name] = number;
    }
  }
  return { ...choice, rows: known.filter((name) => selected.size === 0 || selected.has(name)) };
}
