// Rules for a request's line and headers, checked before its body is read.
import { isIP } from "node:net";

/**
 * @typedef {{status: number, message: string, headers?: Record<string, string>}} Refusal
 * @typedef {Pick<import("node:http").IncomingMessage, "method" | "url" | "headers" | "rawHeaders" | "httpVersion">} Head
 * @typedef {{hosts: readonly string[] | null, trustsProxy: boolean}} HostRules `hosts`: null allows every host
 */

/** Characters that clients leave as they are in a path. Everything else is percent-encoded. */
const SEGMENT = /^(?:[\w.~!$&'()*+,;=:@|[\]-]|%[0-9A-Fa-f]{2})*$/;
/** Percent-encoded characters that don't need it: a second spelling of the same path. */
const NEEDLESS = /%(?:2[DEde]|3\d|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff]|7[Ee])/;
const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
/** Paths of probes, which address the process by any name or address. */
const PROBES = new Set(["/healthz", "/readyz", "/metrics"]);
const LOOPBACK = ["localhost", "*.localhost", "127.0.0.1", "[::1]"];

/** Short targets without a problem. Most requests have one of few targets. */
const valid = new Set();
const MOST_VALID = 1000;
const SHORT = 256;

/** Returns the problem of a path that isn't in its canonical spelling; null for a valid path. @param {string} target */
export function pathProblem(target) {
  if (valid.has(target)) return null;
  const problem = problemOf(target);
  if (problem === null && target.length <= SHORT) {
    if (valid.size >= MOST_VALID) valid.clear();
    valid.add(target);
  }
  return problem;
}

/** @param {string} target */
function problemOf(target) {
  if (!target.startsWith("/")) return "The request target must be an absolute path";
  const segments = target.split("?", 1).join("").split("/").slice(1);
  if (segments.slice(0, -1).includes("")) return "The path must not contain empty segments";
  if (segments.some((segment) => segment === "." || segment === "..")) return "The path must not contain dot segments";
  if (!segments.every((segment) => SEGMENT.test(segment)))
    return "The path contains characters that must be percent-encoded";
  if (segments.some((segment) => NEEDLESS.test(segment)))
    return "The path percent-encodes letters, digits or other characters that must not be encoded";
  return null;
}

/** @param {string} host with or without a port */
const nameOf = (host) => host.replace(/:\d{1,5}$/, "").toLowerCase();

/** @param {string} host @param {readonly string[]} allowed names, `*.` for every name below a domain */
export function isAllowedHost(host, allowed) {
  const name = nameOf(host);
  return allowed.some((one) => (one.startsWith("*.") ? name.endsWith(one.slice(1)) : name === one));
}

/**
 * Returns the hosts that requests may name. Without a setting, a server on a loopback address accepts only loopback names, so that a
 * page of another site can't reach it through a name that resolves to that address.
 * @param {{setting: string | undefined, hostname: string, trustsProxy: boolean}} options @returns {readonly string[] | null}
 */
export function allowedHosts({ setting, hostname, trustsProxy }) {
  if (setting === "*") return null;
  if (setting) return [...setting.split(",").map((one) => one.trim().toLowerCase()), ...LOOPBACK];
  const isLoopback =
    hostname === "localhost" || hostname === "::1" || (isIP(hostname) === 4 && hostname.startsWith("127."));
  return isLoopback && !trustsProxy ? LOOPBACK : null;
}

/** Returns the number of times that a request has a header. Node.js keeps only the first. @param {readonly string[]} rawHeaders @param {string} name */
function timesOf(rawHeaders, name) {
  let times = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name) times += 1;
  return times;
}

/** @param {Head} request @param {HostRules} rules @returns {Refusal | null} */
function hostRefusal({ headers, rawHeaders }, { hosts, trustsProxy }) {
  const host = headers.host ?? "";
  if (timesOf(rawHeaders, "host") !== 1 || !HOST.test(host))
    return { status: 400, message: "The request must have one valid Host header" };
  if (hosts === null) return null;
  const forwarded = trustsProxy ? headers["x-forwarded-host"] : undefined;
  const named = (typeof forwarded === "string" && forwarded.split(",").at(-1)?.trim()) || host;
  return isAllowedHost(named, hosts)
    ? null
    : { status: 421, message: "This host name isn't allowed. Add it to SIGNALBOX_ALLOWED_HOSTS" };
}

/** Returns the response to a request that must not be dispatched; null for every other request. @param {Head} request @param {HostRules} rules @returns {Refusal | null} */
export function refusalOf(request, rules) {
  const { method = "", url = "" } = request;
  if (method === "TRACE" || method === "CONNECT")
    return { status: 405, message: "Method not allowed", headers: { allow: "GET, HEAD, POST, PUT, PATCH, DELETE" } };
  const problem = pathProblem(url);
  if (problem) return { status: 400, message: problem };
  if (timesOf(request.rawHeaders, "authorization") > 1)
    return { status: 400, message: "The request must have at most one Authorization header" };
  return PROBES.has(url) ? null : hostRefusal(request, rules);
}
