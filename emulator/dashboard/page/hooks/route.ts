import { useEffect, useState } from 'preact/hooks';
import { takeTokenFromAddress } from '../api/session.js';
import { parseRoute, type Route } from '../route.js';

/** Returns the current route, and follows links and the back button. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const update = () => {
      takeTokenFromAddress();
      setHash(location.hash);
    };
    window.addEventListener('hashchange', update);
    return () => window.removeEventListener('hashchange', update);
  }, []);
  return parseRoute(hash);
}
