/** What `tokenctl reactor types` writes for the reactor of a new project. A test compares the two. */
export const CHARGE_TYPES = `// Types of the reactors by name, from their configuration and test cases. Written by \`tokenctl reactor types\`; do not edit.
//
// In the code of a reactor: \`const charge: Reactor<'charge'> = …\`, with types/reactor.d.ts of \`tokenctl init\`.
// In the code of a caller: \`Reactors['charge']['request']\` and \`Reactors['charge']['result']\`.

interface Reactors {
  /** reactors/charge.ts */
  charge: {
    configuration: {
      CURRENCY: string;
    };
    /** What the code gets: expressions are replaced by token data. */
    args: {
      card: {
        number: string;
        expiration_month?: number;
        expiration_year?: number;
        cvc?: string;
      };
      amount: number;
    };
    /** What callers send as \`args\`. */
    request: {
      card: string;
      amount: number;
    };
    /** What callers get. */
    result: {
      raw: {
        status: string;
        amount: number;
        currency: string;
        last4: string;
      };
      tokens: {
        receipt: {
          id: string;
          type: string;
        };
      };
    };
  };
}
`;
