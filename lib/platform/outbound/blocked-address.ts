import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

/** Cloud metadata addresses outside the link-local range. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd20:ce::254",
]);
const METADATA_NAMES = ["metadata.google.internal", "metadata.goog"];
/** Names that always resolve to private addresses. */
const PRIVATE_NAMES = ["localhost", "local", "internal", "home.arpa", "lan"];
/** The only globally routed IPv6 range: RFC 4291. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** IPv6 ranges that embed the reached IPv4 address in their last four bytes: compatible, mapped, SIIT, NAT64. */
const CARRYING_IPV4 = ["::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96"].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);
/** IPv6 ranges that embed an IPv4 address but are always private: NAT64 with a network's own prefix, 6to4; with the index of its first byte. */
const PRIVATE_CARRIERS = (
  [
    ["64:ff9b:1::/48", 12],
    ["2002::/16", 2],
  ] as const
).map(([range, from]) => [ipaddr.IPv6.parseCIDR(range), from] as const);

/**
 * Returns the reason a provider's base URL isn't allowed, or null. Public addresses require https; `allowPrivate` permits http and
 * private addresses. Link-local and metadata addresses are never allowed, because they serve credentials. Resolved addresses are
 * checked on connection: `addressProblem`.
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

/** Returns the reason an IP address isn't allowed, or null. */
export function addressProblem(address: string, allowPrivate: boolean): string | null {
  const given = ipaddr.parse(address);
  const reached = reachedBy(given);
  if ([reached, ...privatelyReachedBy(given)].some(isForbidden)) {
    return `must not point to a link-local or metadata address (${address})`;
  }
  const isPublic = reached.range() === "unicast" && (reached.kind() === "ipv4" || reached.match(GLOBAL_IPV6));
  return isPublic || allowPrivate
    ? null
    : `must not point to a private or reserved address (${address}; SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS allows it)`;
}

function reachedBy(address: IPv4 | IPv6): IPv4 | IPv6 {
  const carries = address.kind() === "ipv6" && CARRYING_IPV4.some((range) => address.match(range));
  return carries ? ipaddr.fromByteArray(address.toByteArray().slice(12)) : address;
}

const privatelyReachedBy = (address: IPv4 | IPv6): (IPv4 | IPv6)[] =>
  PRIVATE_CARRIERS.filter(([range]) => address.kind() === "ipv6" && address.match(range)).map(([, from]) =>
    ipaddr.fromByteArray(address.toByteArray().slice(from, from + 4)),
  );

const isForbidden = (address: IPv4 | IPv6): boolean =>
  address.range() === "linkLocal" || METADATA_ADDRESSES.has(address.toString());

function nameProblem(name: string, allowPrivate: boolean): string | null {
  const isUnder = (parent: string) => name === parent || name.endsWith(`.${parent}`);
  if (METADATA_NAMES.some(isUnder)) return `must not point to a metadata service (${name})`;
  return allowPrivate || !PRIVATE_NAMES.some(isUnder)
    ? null
    : `must not point to a private name (${name}; SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS allows it)`;
}
