/** The key of the control token in the storage of this tab. The token comes in the fragment, which browsers do not send. */
const TOKEN_KEY = 'tokenctl.control_token';
const TENANT_KEY = 'tokenctl.tenant';

let controlToken = sessionStorage.getItem(TOKEN_KEY) ?? '';

export function getControlToken(): string {
  return controlToken;
}

export function setControlToken(value: string): void {
  controlToken = value.trim();
  sessionStorage.setItem(TOKEN_KEY, controlToken);
}

/** Moves the token out of the address, so that it is in no history and no copied link. */
export function takeTokenFromAddress(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!token) return;
  setControlToken(token);
  history.replaceState(null, '', location.pathname);
}

/** The tenant that was chosen in this tab, if any. */
export function getChosenTenant(): string | undefined {
  return sessionStorage.getItem(TENANT_KEY) ?? undefined;
}

export function setChosenTenant(id: string): void {
  sessionStorage.setItem(TENANT_KEY, id);
}
