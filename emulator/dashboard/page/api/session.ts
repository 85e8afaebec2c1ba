/** The key of the control token in the storage of this tab. The token comes in the fragment, which browsers do not send. */
const TOKEN_KEY = 'tokenctl.control_token';

/** Dispatched to the window when the control token is not accepted. */
export const SIGNED_OUT = 'tokenctl-signed-out';

export const isSignedIn = (): boolean => sessionStorage.getItem(TOKEN_KEY) !== null;

export const signIn = (token: string): void => sessionStorage.setItem(TOKEN_KEY, token.trim());

export function signOut(): void {
  sessionStorage.removeItem(TOKEN_KEY);
  window.dispatchEvent(new Event(SIGNED_OUT));
}

export const controlHeaders = (): Record<string, string> => ({
  authorization: `Bearer ${sessionStorage.getItem(TOKEN_KEY) ?? ''}`,
});

/** Moves the token out of the address, so that it is in no history and no copied link. */
export function takeTokenFromAddress(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!token) return;
  signIn(token);
  history.replaceState(null, '', location.pathname);
}
