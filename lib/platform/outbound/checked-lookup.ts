import "server-only";
import dns from "node:dns";
import type { LookupFunction } from "node:net";
import { addressProblem } from "./address-policy";
import { OutboundFailure } from "./failure";

const REFUSED = "The URL's name leads to an address that may not be called";

/** Resolves a name for the connection that is opened next: what is checked here is what is connected to. */
export function checkedLookup(allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) callback(error, []);
      else if (addresses.some(({ address }) => addressProblem(address, allowPrivate) !== null))
        callback(new OutboundFailure(null, REFUSED), []);
      else if (options.all) callback(null, addresses);
      else callback(null, addresses[0]?.address ?? "", addresses[0]?.family);
    });
  };
}
