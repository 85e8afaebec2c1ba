export class SumsByTenant {
  readonly #sums = new Map<string, number>();

  get tenants(): string[] {
    return [...this.#sums.keys()];
  }

  of(tenantId: string): number {
    return this.#sums.get(tenantId) ?? 0;
  }

  add(tenantId: string, amount: number): void {
    const sum = this.of(tenantId) + amount;
    if (sum === 0) this.#sums.delete(tenantId);
    else this.#sums.set(tenantId, sum);
  }
}
