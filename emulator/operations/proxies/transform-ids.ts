import type { ProxyRecord } from '../../store/records.js';

/** What a transform is applied to. */
export type Direction = 'request' | 'response';

/** The id under which the sandbox keeps a transform of a proxy. */
export function transformId({ id }: Pick<ProxyRecord, 'id'>, direction: Direction): string {
  return `${id}:${direction}`;
}

/** The ids of both transforms of a proxy. */
export function transformIds(proxy: Pick<ProxyRecord, 'id'>): string[] {
  return [transformId(proxy, 'request'), transformId(proxy, 'response')];
}
