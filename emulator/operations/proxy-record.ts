import type { HeaderNames } from '../../src/contract/headers.js';
import type { ProxyRecord } from '../store/records.js';
import type { Store } from '../store/store.js';

/** Takes the key of a proxy out of a query, `svc-proxy-key=…`: it is not forwarded. */
export function takeProxyKey(query: string, { proxyKey }: HeaderNames): { key?: string; query: string } {
  const prefix = `${proxyKey.toLowerCase()}=`;
  const parts = query.split('&');
  const given = parts.find((part) => part.startsWith(prefix));
  if (given === undefined) return { query };
  const rest = parts.filter((part) => part !== given).join('&');
  return { key: given.slice(prefix.length), query: rest };
}

export type ProxyLookup = { store: Pick<Store, 'find'> };

export async function findProxyByKey(key: string, { store }: ProxyLookup) {
  const { records } = await store.find('proxies', {});
  return records.find((record) => record.key === key);
}

export type Direction = 'request' | 'response';

export function transformId({ id }: Pick<ProxyRecord, 'id'>, direction: Direction): string {
  return `${id}:${direction}`;
}

export function transformIds(proxy: Pick<ProxyRecord, 'id'>): string[] {
  return [transformId(proxy, 'request'), transformId(proxy, 'response')];
}
