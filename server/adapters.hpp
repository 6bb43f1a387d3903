#pragma once
// The server's parts behind the narrow interfaces that commands know.

#include <functional>

#include "config/settings.hpp"
#include "server/commands/context.hpp"
#include "server/commands/slow_log.hpp"
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

class LiveSettings final : public commands::SettingsAccess {
  public:
    // Takes over settings of which these were named.
    // errors: what is wrong with them: nothing is taken over then
    using TakeOver =
        std::function<core::Result<>(const config::Settings&, std::span<const std::string_view> named)>;
    using Reload = std::function<core::Result<commands::Reloaded>()>;

    LiveSettings(const config::Settings& settings, TakeOver take_over, Reload reload)
        : settings_(settings), take_over_(std::move(take_over)), reload_(std::move(reload)) {}
    std::vector<commands::SettingText> all() const override;
    std::size_t max_query_rows() const override { return settings_.max_query_rows; }
    core::Result<> set(std::span<const commands::SettingChange> changes) override;
    core::Result<commands::Reloaded> reload() override { return reload_(); }

  private:
    const config::Settings& settings_;
    TakeOver take_over_;
    Reload reload_;
};

class HostProcess final : public commands::Process {
  public:
    // Traffic is counted elsewhere; end() stops the server.
    HostProcess(const net::Listener& listener, const commands::Traffic& traffic, TimePoint started,
                std::function<void()> end)
        : listener_(listener), traffic_(traffic), started_(started), end_(std::move(end)) {}
    commands::MemoryStatus memory() const override;
    core::MemoryReport memory_report() const override { return core::memory_report(); }
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
commands::SlowLog::Limits slow_log_limits(const config::Settings& settings);
LogOptions log_options(const config::Settings& settings);
Level log_level(config::LogLevel level);

}  // namespace evertick::server
