#pragma once
// The server's parts behind the narrow interfaces that commands know.

#include <functional>

#include "config/settings.hpp"
#include "server/commands/context.hpp"
#include "server/log/log.hpp"
#include "server/net/listener.hpp"
#include "server/pacer.hpp"

namespace evertick::server {

class ClientList final : public commands::Sessions {
  public:
    explicit ClientList(net::Listener& listener) : listener_(listener) {}
    std::size_t count() const override { return listener_.client_count(); }
    void for_each(const std::function<void(const protocol::Client&)>& visit) const override {
        listener_.for_each_client(visit);
    }
    bool kill(std::uint64_t client_id) override { return listener_.kill(client_id); }
    const protocol::Client* find(std::uint64_t client_id) const override { return listener_.find(client_id); }
    bool push(std::uint64_t client_id, std::string_view bytes) override {
        return listener_.push(client_id, bytes);
    }

  private:
    net::Listener& listener_;
};

class LiveSettings final : public commands::SettingsView {
  public:
    LiveSettings(config::Settings& settings, Log& log) : settings_(settings), log_(log) {}
    std::vector<commands::SettingText> all() const override;
    std::size_t max_query_rows() const override { return settings_.max_query_rows; }
    core::Result<> set_log_level(std::string_view level) override;

  private:
    config::Settings& settings_;
    Log& log_;
};

class HostProcess final : public commands::Process {
  public:
    // Traffic is counted elsewhere; end() stops the server.
    HostProcess(const net::Listener& listener, const commands::Traffic& traffic, TimePoint started,
                std::function<void()> end)
        : listener_(listener), traffic_(traffic), started_(started), end_(std::move(end)) {}
    commands::MemoryStatus memory() const override;
    commands::Traffic traffic() const override { return traffic_; }
    double uptime_seconds() const override;
    std::uint16_t command_port() const override { return listener_.port(); }
    void shut_down() override { end_(); }

  private:
    const net::Listener& listener_;
    const commands::Traffic& traffic_;
    TimePoint started_;
    std::function<void()> end_;
};

// The settings in the words of the parts they are for.
Pacing pacing(const config::Settings& settings);
mode_t permissions(config::UnixAccess access);
net::Options net_options(const config::Settings& settings);
LogOptions log_options(const config::Settings& settings);
Level log_level(config::LogLevel level);

}  // namespace evertick::server
