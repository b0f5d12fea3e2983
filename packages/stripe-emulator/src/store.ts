/** Where the emulator keeps its files from one start to the next. */
export interface EmulatorStore {
  /** @returns undefined where there is no such file */
  read(file: string): Promise<string | undefined>;
  /** Write a file whole or not at all, readable by its owner alone. */
  write(file: string, text: string): Promise<void>;
}
