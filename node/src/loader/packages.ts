/** The npm package that a file belongs to, and which of them the user says are pure. */

/** Undefined: it is the program's own. */
export function packageOf(file: string): string | undefined {
  return /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file)?.[1]?.replace("\\", "/");
}

/** Whether the file belongs to one of these packages. */
export function isOfOne(file: string, packages: readonly string[]): boolean {
  const name = packages.length === 0 ? undefined : packageOf(file);
  return name !== undefined && packages.includes(name);
}
