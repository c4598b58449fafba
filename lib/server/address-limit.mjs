import { networkOf } from "../platform/http/client-network.mjs";

/** Counts the open connections or requests of each client network. Networks with none have no entry. */
export class AddressLimit {
  /** @type {Map<string, number>} */
  #open = new Map();
  #most;

  /** @param {number} most 0 for no limit */
  constructor(most) {
    this.#most = most;
  }

  get networks() {
    return this.#open.size;
  }

  /** Counts one more; null if the network is at its limit. @param {string} address @returns {(() => void) | null} ends the count, once */
  take(address) {
    // A proxy may name its client by something other than an address.
    const network = networkOf(address, address);
    const open = this.#open.get(network) ?? 0;
    if (this.#most > 0 && open >= this.#most) return null;
    this.#open.set(network, open + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const left = (this.#open.get(network) ?? 1) - 1;
      if (left > 0) this.#open.set(network, left);
      else this.#open.delete(network);
    };
  }
}
