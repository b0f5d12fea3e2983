/** Unusable configuration; `problems` has one line per variable or option and never a value. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Another server refuses what is configured. It can accept it later: a bucket is created, a clock is set. */
export class RemoteRefusalError extends ConfigError {
  constructor(problems: readonly string[]) {
    super(problems);
    this.name = 'RemoteRefusalError';
  }
}
