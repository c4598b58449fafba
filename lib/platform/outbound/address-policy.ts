import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

/** Where clouds hand out credentials to whoever asks, beside the link-local range that most of them use. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  "100.100.100.200",
  "168.63.129.16",
  "fd00:ec2::254",
  "fd20:ce::254",
]);
const METADATA_NAMES = ["metadata.google.internal", "metadata.goog"];
/** Names that mean a private place wherever they are resolved. */
const PRIVATE_NAMES = ["localhost", "local", "internal", "home.arpa", "lan"];
/** The only IPv6 range that is routed: RFC 4291. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** IPv6 ranges whose last four bytes are the IPv4 address that is reached: compatible, mapped, SIIT, NAT64. */
const CARRYING_IPV4 = ["::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96"].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/**
 * Why a provider's base URL may not be called, or null. Public addresses are called over https alone; `allowPrivate`
 * opens http and private addresses. Link-local and metadata addresses are refused always: no model lives there,
 * credentials do. What a name resolves to is checked when it is connected to: `addressProblem`.
 */
export function urlProblem(url: string, allowPrivate: boolean): string | null {
  if (!URL.canParse(url)) return "must be an absolute URL";
  const { protocol, username, password, hostname } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") return "must start with https://";
  if (username !== "" || password !== "") return "must not contain a user name or password";
  if (protocol === "http:" && !allowPrivate)
    return "must start with https:// (SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS allows http)";
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
  return ipaddr.isValid(host) ? addressProblem(host, allowPrivate) : nameProblem(host, allowPrivate);
}

/** Why an IP address may not be connected to, or null. */
export function addressProblem(address: string, allowPrivate: boolean): string | null {
  const reached = reachedBy(ipaddr.parse(address));
  if (reached.range() === "linkLocal" || METADATA_ADDRESSES.has(reached.toString())) {
    return `must not lead to a link-local or metadata address (${address})`;
  }
  const isPublic = reached.range() === "unicast" && (reached.kind() === "ipv4" || reached.match(GLOBAL_IPV6));
  return isPublic || allowPrivate
    ? null
    : `must not lead to a private or reserved address (${address}; SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS allows it)`;
}

function reachedBy(address: IPv4 | IPv6): IPv4 | IPv6 {
  const carries = address.kind() === "ipv6" && CARRYING_IPV4.some((range) => address.match(range));
  return carries ? ipaddr.fromByteArray(address.toByteArray().slice(12)) : address;
}

function nameProblem(name: string, allowPrivate: boolean): string | null {
  const isUnder = (parent: string) => name === parent || name.endsWith(`.${parent}`);
  if (METADATA_NAMES.some(isUnder)) return `must not lead to a metadata service (${name})`;
  return allowPrivate || !PRIVATE_NAMES.some(isUnder)
    ? null
    : `must not lead to a private name (${name}; SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS allows it)`;
}
