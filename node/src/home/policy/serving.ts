/** Whether the program serves, or may wait for work for as long as it likes. */
import { activeHandles, activeResources, isLoaded } from "../../builtin.js";

/** Who loads one of these may wait for ever. (node:child_process loads node:net and node:dgram.) */
const servers = ["http", "https", "http2", "tls"];

/** Whether there is a server now. A server on a path is a PipeWrap like any other pipe. */
export function listens(): boolean {
  return activeResources().some((name) => name === "TCPServerWrap" || name === "PipeWrap");
}

export function mayServe(): boolean {
  if (servers.some(isLoaded) || activeResources().includes("UDPWrap")) return true;
  return activeHandles().some((handle) => "listening" in handle);
}
