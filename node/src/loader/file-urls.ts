/** Paths of files by their URLs, without node:url: its functions ask the class URL, which the program may change. */
export function pathOf(url: string): string | undefined {
  if (!url.startsWith("file:///")) return undefined;
  const path = (/^file:\/\/([^?#]*)/.exec(url) as RegExpExecArray)[1] as string;
  try {
    return /%2f/i.test(path) ? undefined : decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
