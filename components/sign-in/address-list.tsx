import { CopyButton } from "@/components/ui/copy-button";

export interface Address {
  label: string;
  url: string;
}

/** Addresses to enter at the provider. */
export const AddressList = ({ addresses }: { addresses: readonly Address[] }) => (
  <dl className="grid gap-3">
    {addresses.map(({ label, url }) => (
      <div key={label} className="grid min-w-0 gap-0.5">
        <dt className="text-[13px] text-muted">{label}</dt>
        <dd className="flex min-w-0 items-center gap-1">
          <span className="min-w-0 font-mono text-[13px] wrap-anywhere">{url}</span>
          <CopyButton text={url} label={`Copy ${label}`} />
        </dd>
      </div>
    ))}
  </dl>
);
