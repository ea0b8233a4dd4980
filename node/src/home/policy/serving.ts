/** Whether the program serves, or may wait for work for as long as it likes. */

/** What of node has been loaded; node adds to it. */
const loaded = (process as unknown as { moduleLoadList?: string[] }).moduleLoadList ?? [
  "NativeModule net",
  "NativeModule http",
];

const activeResources = process.getActiveResourcesInfo.bind(process);
const activeHandles =
  (process as unknown as { _getActiveHandles?: () => object[] })._getActiveHandles?.bind(process) ?? (() => []);

const utilization = performance.eventLoopUtilization.bind(performance);

/** Milliseconds for which the main thread has waited for events. */
export function waitedForEvents(): number {
  return utilization().idle;
}

/** Who loads one of these may wait for ever. (node:child_process loads node:net and node:dgram.) */
const servers = ["http", "https", "http2", "tls"];

/** Whether node has loaded a module of its own. */
export function isLoaded(name: string): boolean {
  return loaded.includes(`NativeModule ${name}`);
}

/** Whether there is a server now. A server on a path is a PipeWrap like any other pipe. */
export function listens(): boolean {
  return activeResources().some((name) => name === "TCPServerWrap" || name === "PipeWrap");
}

export function mayServe(): boolean {
  if (servers.some(isLoaded) || activeResources().includes("UDPWrap")) return true;
  return activeHandles().some((handle) => "listening" in handle);
}
