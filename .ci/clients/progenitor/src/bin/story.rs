//! Carries out the story of a client against the box at BOX_URL and the gateway at GATEWAY_URL.
//! Every unexpected response ends it with a panic or an error.

use std::{env, time::Duration};

use boxgate_clients::{apps, gateway};
use reqwest::{
    StatusCode,
    header::{AUTHORIZATION, HeaderMap, HeaderValue},
};
use serde_json::{Value, json};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome {
    box_story(&env::var("BOX_URL")?).await?;
    gateway_story(&env::var("GATEWAY_URL")?, &env::var("REGISTRATION_TOKEN")?).await
}

/// Installs, changes and removes apps.
async fn box_story(url: &str) -> Outcome {
    // An install may download images, and `Client::new` would give up after 15 seconds.
    let http = reqwest::Client::builder()
        .timeout(Duration::from_secs(30 * 60))
        .build()?;
    let client = apps::Client::new_with_client(url, http);

    let entries = client.list_apps().send().await?;
    let [apps::types::InstalledEntry::BrokenApp(broken)] = entries.as_slice() else {
        panic!("expected sketches, found {entries:?}");
    };
    assert_eq!(broken.name, "sketches");
    let bundled = client.list_bundled_apps().send().await?;
    let names: Vec<_> = bundled.iter().map(|app| app.name.as_str()).collect();
    assert_eq!(names, ["notes", "unlucky"]);
    let view = client.get_app_settings().name("notes").send().await?;
    let keys: Vec<_> = view.settings.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(keys, ["NOTES_PORT", "NOTES_PASSWORD"]);

    let settings = values(json!({"NOTES_PORT": "8230", "NOTES_PASSWORD": "kettle-42-lamp"}))?;
    let installed = client
        .install_app()
        .body_map(|body| body.name("notes").settings(settings))
        .send()
        .await?;
    assert_eq!(installed.status(), StatusCode::OK);
    assert!(!installed.actions.is_empty() && !has_error(&installed.actions));

    let entries = client.list_apps().send().await?;
    let [apps::types::InstalledEntry::InstalledApp(notes), _] = entries.as_slice() else {
        panic!("expected notes, found {entries:?}");
    };
    assert_eq!((notes.name.as_str(), notes.ports.len()), ("notes", 1));
    // A later version may have other states, so an unknown one is only shown.
    let state = notes.state.as_ref().map_or("", |state| state.as_str());
    assert!(!state.is_empty());
    println!("notes is {state}");

    let unlucky = client
        .install_app()
        .body_map(|body| body.name("unlucky"))
        .send()
        .await?;
    assert_eq!(unlucky.status(), StatusCode::MULTI_STATUS);
    assert!(has_error(&unlucky.actions));

    let updated = client.update_app().name("notes").send().await?;
    assert_eq!((updated.status(), &*updated.app), (StatusCode::OK, "notes"));
    let settings = values(json!({"NOTES_PORT": "8231"}))?;
    let changed = client
        .update_app_settings()
        .name("notes")
        .body_map(|body| body.settings(settings))
        .send()
        .await?;
    let is_partial = changed.status() == StatusCode::MULTI_STATUS;
    assert_eq!(is_partial, has_error(&changed.actions));

    for name in ["unlucky", "notes"] {
        let removed = client
            .remove_app()
            .body_map(|body| body.name(name))
            .send()
            .await?;
        assert_eq!(
            (removed.status(), &removed.compose_warning),
            (StatusCode::OK, &None)
        );
    }

    let unknown = client
        .install_app()
        .body_map(|body| body.name("sketches"))
        .send()
        .await;
    expect_box_error(StatusCode::BAD_REQUEST, unknown);
    let unknown = client.get_app_settings().name("sketches").send().await;
    expect_box_error(StatusCode::NOT_FOUND, unknown);
    let status = client.get_self_update_status().send().await?;
    assert_eq!(status.outcome, None);
    Ok(())
}

fn values(settings: Value) -> serde_json::Result<apps::types::SettingValues> {
    serde_json::from_value(settings)
}

/// Whether something failed. Kinds of a later version are no errors.
fn has_error(actions: &apps::types::Actions) -> bool {
    actions.iter().any(|action| action.kind == "error")
}

fn expect_box_error<T: std::fmt::Debug>(
    status: StatusCode,
    result: Result<apps::ResponseValue<T>, apps::Error<apps::types::Error>>,
) {
    match result {
        Err(apps::Error::ErrorResponse(refusal)) if refusal.status() == status => {
            println!("{status}: {}", refusal.error.as_str());
        }
        other => panic!("expected {status}, found {other:?}"),
    }
}

/// Registers a box, publishes a route, and removes both.
async fn gateway_story(url: &str, registration_token: &str) -> Outcome {
    let anonymous = gateway::Client::new_with_client(url, reqwest::Client::new());
    let health = anonymous.get_health().send().await?;
    assert_eq!(health.status, "ok");

    let registered = anonymous
        .register_box()
        .body_map(|body| {
            body.registration_token(registration_token)
                .box_name("attic")
        })
        .send()
        .await?;
    assert_eq!(registered.status(), StatusCode::CREATED);
    let id = registered.box_id.as_deref().ok_or("no id of the box")?;
    let token = registered
        .box_token
        .as_deref()
        .ok_or("no token of the box")?;
    let old = gateway_client(url, token)?;

    let publish = || {
        old.publish_route()
            .body_map(|body| body.app_name("notes").subdomain("notes").port(8230))
            .send()
    };
    let published = publish().await?;
    assert_eq!(published.status(), StatusCode::CREATED);
    expect_gateway_error(StatusCode::CONFLICT, publish().await);
    let listed = old.list_routes().send().await?;
    let ids: Vec<_> = listed.routes.iter().map(|route| &route.id).collect();
    assert_eq!(ids, [&published.id]);
    let route_id = published.id.as_deref().ok_or("no id of the route")?;
    let withdrawn = old.unpublish_route().route_id(route_id).send().await?;
    assert_eq!(withdrawn.status, "ok");
    assert!(old.list_routes().send().await?.routes.is_empty());

    let rotated = old.rotate_box_token().box_id(id).send().await?;
    expect_gateway_error(StatusCode::UNAUTHORIZED, old.list_routes().send().await);
    let new = gateway_client(url, &rotated.box_token)?;
    let removed = new.deregister_box().box_id(id).send().await?;
    assert_eq!(removed.status, "ok");
    expect_gateway_error(StatusCode::UNAUTHORIZED, new.list_routes().send().await);
    Ok(())
}

/// A client that sends the token with every request. The generated code ignores the document's `security`.
fn gateway_client(url: &str, token: &str) -> Outcome<gateway::Client> {
    let mut bearer = HeaderValue::try_from(format!("Bearer {token}"))?;
    bearer.set_sensitive(true);
    let http = reqwest::Client::builder()
        .default_headers(HeaderMap::from_iter([(AUTHORIZATION, bearer)]))
        .build()?;
    Ok(gateway::Client::new_with_client(url, http))
}

fn expect_gateway_error<T: std::fmt::Debug>(
    status: StatusCode,
    result: Result<gateway::ResponseValue<T>, gateway::Error<gateway::types::Error>>,
) {
    match result {
        Err(gateway::Error::ErrorResponse(refusal)) if refusal.status() == status => {
            println!("{status}: {}", refusal.error.as_str());
        }
        other => panic!("expected {status}, found {other:?}"),
    }
}
