import type { Redirects } from '../../src/contract/control/outbound.js';
import type { NetworkPolicy } from '../sandbox/network/policy.js';
import type { SharedStore } from '../store/store.js';

export const REDIRECTS_STATE = 'redirects';

/** The redirects of all tenants. No tenant has this id. */
const ALL = '';

type ByTenant = Readonly<Record<string, Redirects>>;

/** Stubs that stand for hosts, of one tenant or of all: `--redirect`, while the emulator runs. */
export class TenantRedirects {
  #redirects: ByTenant = {};

  /** @param network the policy they are added to @param shared present if they are those of several processes */
  constructor(
    private readonly network: NetworkPolicy,
    private readonly shared?: Pick<SharedStore, 'updateState'>,
  ) {}

  list(tenantId = ALL): Redirects {
    return this.#redirects[tenantId] ?? {};
  }

  /** Takes over the redirects that another process has stored. */
  adopt(redirects: ByTenant = {}): void {
    this.#redirects = redirects;
  }

  /** Replaces the redirects of a tenant, or those of all tenants. */
  async set(redirects: Redirects, tenantId = ALL): Promise<void> {
    await this.#change(({ [tenantId]: _, ...others }) =>
      Object.keys(redirects).length === 0 ? others : { ...others, [tenantId]: redirects },
    );
  }

  /** Removes the redirects of a tenant, or of everybody. */
  async clear(tenantId?: string): Promise<void> {
    if (Object.keys(this.#redirects).length === 0) return;
    await (tenantId === undefined ? this.#change(() => ({})) : this.set({}, tenantId));
  }

  /** Returns the policy for what a tenant sends: the same object if it has no redirects. */
  networkOf(tenantId: string): NetworkPolicy {
    const [own, all] = [this.#redirects[tenantId], this.#redirects[ALL]];
    if (!own && !all) return this.network;
    const { redirects: given } = this.network;
    // The first that matches a host is used, and the last of one name: those of the tenant come first.
    return { ...this.network, redirects: { ...own, ...all, ...given, ...all, ...own } };
  }

  async #change(change: (redirects: ByTenant) => ByTenant): Promise<void> {
    this.#redirects = this.shared
      ? await this.shared.updateState<ByTenant>(REDIRECTS_STATE, (state = {}) => change(state))
      : change(this.#redirects);
  }
}
