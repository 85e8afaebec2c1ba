/** Where the store says what a user should know; never token data. */
export interface Logger {
  warn(message: string): void;
}
