import ipaddr, { type IPv6 } from "ipaddr.js";

const IPV6_NETWORK_BITS = 64;
const BYTE_BITS = 8;

/** Returns the network of a client address: the address itself, or the /64 of an IPv6 address, which is one customer. */
export function networkOf(ip: string | null): string {
  if (ip === null || !ipaddr.isValid(ip)) return "unknown";
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  const bytes = (address as IPv6).toByteArray().fill(0, IPV6_NETWORK_BITS / BYTE_BITS);
  return `${ipaddr.fromByteArray(bytes).toString()}/${IPV6_NETWORK_BITS}`;
}
