/**
 * What reactors (and callbacks) may connect to (decisions.md, "Reactors"; options `--allow-net`, `--deny-net`).
 *
 * - `none`: nothing, loopback included (`--deny-net`).
 * - `loopback`: this machine only; the default.
 * - `hosts`: loopback, and the given hosts: a name, `*.name` for all below it, an address, each with `:port` if need be.
 * - `open`: everything but link-local and cloud metadata addresses (`--allow-net` without a value).
 *
 * Link-local and metadata addresses are refused under every policy, whatever name resolves to them.
 */
export type NetworkPolicy =
  | { mode: 'none' }
  | { mode: 'loopback' }
  | { mode: 'open' }
  | { mode: 'hosts'; hosts: readonly string[] };
