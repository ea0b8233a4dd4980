/** Whether the program serves, or may wait for work for as long as it likes. */
import { activeHandles, activeResources, isLoaded } from "../../builtin.js";

/** Who loads one of these may wait for ever. (node:child_process loads node:net and node:dgram.) */
const servers = ["http", "https", "http2", "tls"];

/** Whether there is a server now. One on a path is a PipeWrap, as standard output may be. */
export function listens(): boolean {
  const resources = activeResources();
  return resources.includes("TCPServerWrap") || (resources.includes("PipeWrap") && someListens());
}

function someListens(): boolean {
  return activeHandles().some((handle) => "listening" in handle);
}

export function mayServe(): boolean {
  if (servers.some(isLoaded) || activeResources().includes("UDPWrap")) return true;
  return someListens();
}
