import "server-only";
import dns from "node:dns";
import type { LookupFunction } from "node:net";
import { addressProblem } from "./blocked-address";
import { OutboundFailure } from "./failure";

const REFUSED = "The URL's host resolves to an address that is not allowed";

/** Resolves and checks a host for a connection, so that the connection uses the checked address. */
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
