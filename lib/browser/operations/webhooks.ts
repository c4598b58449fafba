// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/webhooks/contract";

export const createWebhook = {"id":"createWebhook","method":"POST","path":"/webhooks","access":"management"} as Callable<typeof contract.createWebhook>;
export const deleteWebhook = {"id":"deleteWebhook","method":"DELETE","path":"/webhooks/{id}","access":"management"} as Callable<typeof contract.deleteWebhook>;
export const getWebhook = {"id":"getWebhook","method":"GET","path":"/webhooks/{id}","access":"management"} as Callable<typeof contract.getWebhook>;
export const getWebhookDelivery = {"id":"getWebhookDelivery","method":"GET","path":"/webhooks/{id}/deliveries/{delivery_id}","access":"management"} as Callable<typeof contract.getWebhookDelivery>;
export const listWebhookDeliveries = {"id":"listWebhookDeliveries","method":"GET","path":"/webhooks/{id}/deliveries","access":"management"} as Callable<typeof contract.listWebhookDeliveries>;
export const listWebhooks = {"id":"listWebhooks","method":"GET","path":"/webhooks","access":"management"} as Callable<typeof contract.listWebhooks>;
export const redeliverWebhook = {"id":"redeliverWebhook","method":"POST","path":"/webhooks/{id}/deliveries/{delivery_id}/redeliver","access":"management"} as Callable<typeof contract.redeliverWebhook>;
export const rotateWebhookSecret = {"id":"rotateWebhookSecret","method":"POST","path":"/webhooks/{id}/rotate","access":"management"} as Callable<typeof contract.rotateWebhookSecret>;
export const testWebhook = {"id":"testWebhook","method":"POST","path":"/webhooks/{id}/test","access":"management"} as Callable<typeof contract.testWebhook>;
export const updateWebhook = {"id":"updateWebhook","method":"PATCH","path":"/webhooks/{id}","access":"management"} as Callable<typeof contract.updateWebhook>;
