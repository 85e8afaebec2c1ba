/** Converts `--allow-net [HOST…]`: a list of hosts, true for any host, false for this machine only. */
export function allowedNetwork(allowNet: readonly string[] | true | undefined): readonly string[] | boolean {
  if (allowNet === undefined) return false;
  return allowNet === true || allowNet.flatMap((hosts) => hosts.split(','));
}
