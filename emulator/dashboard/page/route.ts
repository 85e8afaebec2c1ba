import { useEffect, useState } from 'preact/hooks';
import { buildQuery } from '../../../src/contract/operation-row.js';

/** A place in the page, as the fragment of its address states it: `#/tokens/abc?query=x`. */
export interface Route {
  /** Decoded segments: `['tokens', 'abc']`. */
  path: readonly string[];
  query: Readonly<Record<string, string>>;
}

export interface ViewProps {
  route: Route;
}

function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  return {
    path: path.split('/').filter(Boolean).map(decodeSegment),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** Returns the address of a route, without empty parameters. One of half a surrogate pair leads nowhere. */
export function hrefTo(path: readonly string[], query: RouteQuery = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return `#/${path.map(encodeSegment).join('/')}${buildQuery(Object.fromEntries(given))}`;
}

type RouteQuery = Readonly<Record<string, string | number | undefined>>;

const encodeSegment = (segment: string): string =>
  encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\ufffd'));

export function navigate(path: readonly string[], query?: RouteQuery): void {
  location.hash = hrefTo(path, query);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the current route, and follows links and the back button. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const update = () => setHash(location.hash);
    window.addEventListener('hashchange', update);
    return () => window.removeEventListener('hashchange', update);
  }, []);
  return parseRoute(hash);
}
