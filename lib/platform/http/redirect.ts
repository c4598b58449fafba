/** A response that sends the browser to another address. */
export class Redirect {
  constructor(readonly location: string) {}
}
