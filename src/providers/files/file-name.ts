const FILE_NAME_PATTERN = /^(?:[a-z0-9][a-z0-9.-]{0,63}\/)?[a-z0-9][a-z0-9.-]{0,199}$/;

export function isValidFileName(name: string): boolean {
  return FILE_NAME_PATTERN.test(name);
}

/** @throws Error for an invalid name, which is a bug of the caller */
export function requireValidFileName(name: string): string {
  if (!isValidFileName(name)) throw new Error('Invalid file name.');
  return name;
}
