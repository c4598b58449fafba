import ipaddr from "ipaddr.js";

const IPV6_NETWORK_BITS = 64;
const BYTE_BITS = 8;

/** Returns the network of a client address: the address itself, or the /64 of an IPv6 address, which is one customer. @param {string | null} ip @param {string} other returned for a text that isn't an address */
export function networkOf(ip, other = "unknown") {
  if (ip === null || !ipaddr.isValid(ip)) return other;
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const bytes = address.toByteArray().fill(0, IPV6_NETWORK_BITS / BYTE_BITS);
  return `${ipaddr.fromByteArray(bytes).toString()}/${IPV6_NETWORK_BITS}`;
}
